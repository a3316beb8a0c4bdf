// Patterns for paths, such as "*_n.png" or "ui/**".
#pragma once

#include <string_view>

namespace tessera {

// Whether the path, whose parts are separated by slashes, is one that the pattern means. * stands
// for any characters of a part, ? for one, [a-z] for one of a range ([!a-z]: for one of no range),
// and a part that is ** for any number of parts, none among them. A pattern without a slash is
// compared with the last part alone, one with a slash with the whole path. Capital letters are not
// small ones.
bool matches_path(std::string_view pattern, std::string_view path);

}  // namespace tessera
