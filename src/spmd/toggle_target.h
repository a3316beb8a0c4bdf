// Lets files that end in -inl.h be read again, ours and Highway's. Only for for_each_target.h.
#ifdef TESSERA_TARGET_TOGGLE
#undef TESSERA_TARGET_TOGGLE
#undef HWY_TARGET_TOGGLE
#else
#define TESSERA_TARGET_TOGGLE
#define HWY_TARGET_TOGGLE
#endif
