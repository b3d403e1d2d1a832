// Small trees, written out: whoever changes how the forest searches sees here what it does to a search.
//
// Regenerate: run this with any argument, and read what it prints as prose before pasting it below.
#include "contract.hpp"
#include "games/connect_four.hpp"
#include "games/dark_chess.hpp"
#include "search/forest.hpp"

namespace {

using namespace qilin;
using namespace qilin::forest;

struct Golden {
  const char* name;
  std::string grown, expected;
};

template <Game G>
std::string grown(Search search, const char* position) {
  Forest<G> forest(search, 1, 1);
  forest.reset(0, Line<G>(G::parse(position, defaults<G>())));
  forest.run(Playouts{.games = 4});
  return forest.text(0, {.depth = 3, .visits = 2});
}

std::vector<Golden> golden() {
  Search puct, noisy, gumbel;
  puct.simulations = noisy.simulations = gumbel.simulations = 40;
  noisy.noise_weight = 0.5F;
  gumbel.kind = Kind::gumbel;
  gumbel.considered = 4;
  const char *middle = "7/7/7/3o3/2xxo2/2xoxo1 x", *pair = "7/7/7/7/2oo3/2xx3 x";
  using Four = connect_four::Rules;
  using Dark = dark_chess::Rules;
  return {
      {"puct", grown<Four>(puct, middle), R"(
connect_four  41 visits  value -0.000  win 0.500 draw 0.000 loss 0.500  best e
e                   16  Q +0.125  P 0.143
  c                  4  Q -0.125  P 0.143
  e                  4  Q -0.125  P 0.143
    b                2  Q +0.500  P 0.143
  a                  2  Q -0.250  P 0.143
  f                  2  Q -0.000  P 0.143
d                    8  Q +0.062  P 0.143
  b                  3  Q -0.333  P 0.143
    a                2  Q +0.750  P 0.143
  c                  3  Q +0.333  P 0.143
g                    7  Q -0.000  P 0.143
  b                  3  Q -0.000  P 0.143
  c                  2  Q +0.250  P 0.143
b                    5  Q +0.000  P 0.143
a                    2  Q -0.250  P 0.143
)"},
      {"puct with noise", grown<Four>(noisy, middle), R"(
connect_four  41 visits  value -0.128  win 0.433 draw 0.006 loss 0.561  best e
e                   17  Q -0.029  P 0.143
  c                 10  Q +0.350  P 0.143
    a                6  Q -1.000  P 0.143  loss in 1
  a                  3  Q -0.500  P 0.143
    a                2  Q +0.750  P 0.143
  b                  2  Q -0.500  P 0.143
f                   12  Q -0.021  P 0.143
  a                  5  Q -0.000  P 0.143
    a                3  Q +0.333  P 0.143
  c                  5  Q +0.250  P 0.143
    a                2  Q -0.250  P 0.143
    b                2  Q -0.125  P 0.143
b                    4  Q -0.375  P 0.143
  a                  2  Q +0.250  P 0.143
g                    3  Q -0.167  P 0.143
d                    2  Q -0.250  P 0.143
)"},
      {"gumbel", grown<Four>(gumbel, middle), R"(
connect_four  41 visits  value +0.233  win 0.617 draw 0.000 loss 0.383  best f
d                   15  Q -0.100  P 0.143
  a                 13  Q +0.192  P 0.143
    f                5  Q +0.200  P 0.143
    c                3  Q -0.500  P 0.143
f                   15  Q +0.233  P 0.143
  b                 13  Q -0.154  P 0.143
    e                8  Q +0.250  P 0.143
b                    5  Q -0.400  P 0.143
  a                  2  Q +0.250  P 0.143
  b                  2  Q +0.750  P 0.143
g                    5  Q -0.100  P 0.143
  b                  3  Q +0.167  P 0.143
    a                2  Q +0.000  P 0.143
)"},
      {"a proof", grown<Four>(puct, pair), R"(
connect_four  36 visits  value +1.000  win 1.000 draw 0.000 loss 0.000  win in 3  best b
b                   27  Q +1.000  P 0.143  win in 2
  a                 14  Q -1.000  P 0.143  loss in 1
    a                6  Q +0.375  P 0.143
    d                4  Q +0.500  P 0.143
  b                  2  Q -1.000  P 0.143  loss in 1
  c                  2  Q -1.000  P 0.143  loss in 1
  d                  2  Q -1.000  P 0.143  loss in 1
  e                  2  Q -1.000  P 0.143  loss in 1
  f                  2  Q -1.000  P 0.143  loss in 1
  g                  2  Q -1.000  P 0.143  loss in 1
a                    2  Q +0.000  P 0.143
g                    2  Q +0.000  P 0.143
)"},
      {"chance", grown<Dark>(puct, "1p1?/aACK/?rpB/cN1k r Pn 10 14 0 18"), R"(
dark_chess  41 visits  value +0.024  win 0.494 draw 0.037 loss 0.470  best b3a3
b3a3                28  Q +0.170  P 0.111
  b4b3               9  Q -0.111  P 0.091
    a2               4  Q +0.062  P 0.143
    d4               3  Q +0.083  P 0.143
  a1a3               8  Q +0.125  P 0.091
    a2               3  Q +0.000  P 0.200
    d4               3  Q +0.000  P 0.200
  a2                 5  Q -0.400  P 0.091
    P                3  Q -0.333  P 0.500
    n                2  Q -0.500  P 0.500
  b4c4               2  Q -0.250  P 0.091
d2c2                 3  Q -0.083  P 0.111
  a2                 2  Q +0.375  P 0.111
c3a3                 2  Q -0.500  P 0.111
b1c1                 2  Q -0.250  P 0.111
)"},
  };
}

}  // namespace

int main(int argc, char**) {
  for (const Golden& g : golden()) {
    if (argc > 1) std::printf("%s\n%s\n", g.name, g.grown.c_str());
    contract::where = std::string(g.name) + "\n" + g.grown;
    contract::expect(argc > 1 || '\n' + g.grown == g.expected, std::string("the tree is the golden one"));
  }
}
