// Tables that follow from a rule. The compiler makes them, except where programs have to be small:
// there the program makes them when it starts, since the rule is shorter than the table.
#pragma once

// TESSERA_TABLE_RULE stands before the function that makes a table, TESSERA_RULE_TABLE before the
// table.
#ifdef TESSERA_SMALL_CODE
#define TESSERA_TABLE_RULE inline
#define TESSERA_RULE_TABLE const
#else
#define TESSERA_TABLE_RULE constexpr
#define TESSERA_RULE_TABLE constexpr
#endif
