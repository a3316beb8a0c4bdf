// Empty: a target with precompiled headers needs a source file to take its compile options from.
