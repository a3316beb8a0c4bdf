// The side of the ranks that are given units: receive, compute, reply.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "exec/backend.h"
#include "exec/mpi/mpi_session.h"
#include "exec/mpi/unit_message.h"

namespace tessera::mpi {

// Computes a unit. `output` keeps its memory from unit to unit; what the header asks for has been
// checked only as far as any kind of unit goes.
using UnitHandler = std::function<Status(const UnitHeader& header, ByteSpan input, Backend& backend,
                                         const RunControl& control, Bytes& output)>;

// What a lane does on its own thread before its first unit.
using LaneStart = std::function<void(Backend& backend, const RunControl& control)>;

// Serves rank 0 until it says stop; returns the exit code that it says. Each lane works on one unit
// at a time, with a backend of its own. When that cannot go on (a signal, a launcher or another
// rank that is gone) it ends the process, and all other ranks, without a word: rank 0 has it.
int serve_units(MpiSession& session, const std::vector<Backend*>& lanes, const UnitHandler& handler,
                const LaneStart& start = {});

}  // namespace tessera::mpi
