// Tells Emscripten's linker which functions the modules get from their loader.
mergeInto(LibraryManager.library, {
  tessera_progress: function (fraction) {},
});
