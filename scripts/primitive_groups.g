# Designs whose blocks are orbits of a primitive group; scripts/find_with_primitive_groups.py
# runs this. A block with few images has a large stabiliser, and is a union of its orbits.

LoadPackage("primgrp");;
SetPrintFormattingStatus("*stdout*", false);;  # no line breaks

LARGEST_GROUP := 300000;;
MOST_ORBITALS := 6;;
MOST_UNIONS := 3000;;

# Subgroups of index at most m, up to conjugacy: stabilisers, Sylow subgroups and normalisers, and
# what random elements of these generate. Not all of them, but most that matter.
LargeSubgroups := function(G, m)
  local found, offer, pair, p, P, i, x, H;
  found := [];
  offer := function(H)
    if Size(G) / Size(H) <= m and
       ForAll(found, K -> Size(K) <> Size(H) or not IsConjugate(G, K, H)) then
      Add(found, H);
    fi;
  end;
  offer(G); offer(Stabilizer(G, 1)); offer(DerivedSubgroup(G));
  for pair in OrbitsDomain(G, Combinations([1 .. LargestMovedPoint(G)], 2), OnSets) do
    offer(Stabilizer(G, pair[1], OnSets));
  od;
  for p in Set(Factors(Size(G))) do
    P := SylowSubgroup(G, p);
    offer(P); offer(Normalizer(G, P));
  od;
  for i in [1 .. 25] do
    x := Random(G);
    if Order(x) > 1 then
      x := x ^ (Order(x) / Random(Set(Factors(Order(x)))));
      offer(Normalizer(G, Subgroup(G, [x]))); offer(Subgroup(G, [x]));
    fi;
  od;
  for H in ShallowCopy(found) do
    for i in [1 .. 12] do
      if Length(found) < 90 then offer(Subgroup(H, [Random(H), Random(H)])); fi;
    od;
  od;
  return found;
end;;

# Sets of places whose sizes add up to k.
PlacesOfSum := function(sizes, k)
  local found, choose;
  found := [];
  choose := function(i, left, chosen)
    if Length(found) >= MOST_UNIONS then return; fi;
    if left = 0 then Add(found, chosen); return; fi;
    if i > Length(sizes) or Sum(sizes{[i .. Length(sizes)]}) < left then return; fi;
    if sizes[i] <= left then choose(i + 1, left - sizes[i], Concatenation(chosen, [i])); fi;
    choose(i + 1, left, chosen);
  end;
  choose(1, k, []);
  return found;
end;;

# How often the images of a block cover a pair of each orbital.
Coverage := function(block, images, orbitals)
  local counts, pair, j;
  counts := List(orbitals, o -> 0);
  for pair in Combinations(block, 2) do
    j := PositionProperty(orbitals, o -> pair in o);
    counts[j] := counts[j] + 1;
  od;
  return List([1 .. Length(orbitals)], j -> counts[j] * images / Length(orbitals[j]));
end;;

# Blocks of k points with at most b images and coverage at most lambda, one for each coverage.
Candidates := function(G, subgroups, orbitals, v, k, lambda, b)
  local found, seen, H, orbits, places, block, images, covered;
  found := []; seen := [];
  for H in Filtered(subgroups, H -> Size(G) / Size(H) <= b) do
    orbits := OrbitsDomain(H, [1 .. v]);
    if Length(orbits) <= 24 then
      for places in PlacesOfSum(List(orbits, Length), k) do
        block := Set(Concatenation(orbits{places}));
        images := Size(G) / Size(H);
        covered := Coverage(block, images, orbitals);
        if ForAll(covered, IsInt) and Maximum(covered) <= lambda and not covered in seen
           and Size(Stabilizer(G, block, OnSets)) = Size(H) then
          Add(seen, covered); Add(found, rec(block := block, covered := covered));
        fi;
      od;
    fi;
  od;
  return found;
end;;

# Candidates, at most six and perhaps with repetition, that cover every orbital lambda times.
SumOf := function(candidates, left, start, depth)
  local i, rest;
  if ForAll(left, IsZero) then return []; fi;
  if depth = 0 then return fail; fi;
  for i in [start .. Length(candidates)] do
    if ForAll([1 .. Length(left)], j -> candidates[i].covered[j] <= left[j]) then
      rest := SumOf(candidates, left - candidates[i].covered, i, depth - 1);
      if rest <> fail then return Concatenation([candidates[i].block], rest); fi;
    fi;
  od;
  return fail;
end;;

# Print the first design for each of some [k, lambda, b], as v, k, lambda, generators, blocks.
SearchPrimitive := function(v, targets)
  local left, i, G, orbitals, subgroups, target, candidates, blocks;
  left := ShallowCopy(targets);
  for i in [1 .. NrPrimitiveGroups(v)] do
    G := PrimitiveGroup(v, i);
    if left <> [] and Size(G) > v and Size(G) <= LARGEST_GROUP then
      orbitals := OrbitsDomain(G, Combinations([1 .. v], 2), OnSets);
      if Length(orbitals) <= MOST_ORBITALS then
        subgroups := LargeSubgroups(G, Maximum(List(left, t -> t[3])));
        for target in ShallowCopy(left) do
          candidates := Candidates(G, subgroups, orbitals, v, target[1], target[2], target[3]);
          blocks := SumOf(candidates, List(orbitals, o -> target[2]), 1, 6);
          if Length(candidates) < 400 and blocks <> fail then
            Print(v, " ", target[1], " ", target[2], " | ",
                  List(GeneratorsOfGroup(G), g -> ListPerm(g, v) - 1), " | ", blocks - 1, "\n");
            RemoveSet(left, target);
          fi;
        od;
      fi;
    fi;
  od;
end;;
