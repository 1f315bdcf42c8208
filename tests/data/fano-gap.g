rec(
  autSubgroup := Group( [ (4,6)(5,7), (1,2,4)(3,6,5) ] ),
  blocks := [ [ 1, 2, 3 ], [ 1, 4, 5 ], [ 1, 6, 7 ], [ 2, 4, 6 ], 
      [ 2, 5, 7 ], [ 3, 4, 7 ], [ 3, 5, 6 ] ],
  isBinary := true,
  isBlockDesign := true,
  pointNames := [ VectorSpace( GF(2), [ [ 0*Z(2), 0*Z(2), Z(2)^0 ] ] ), 
      VectorSpace( GF(2), [ [ 0*Z(2), Z(2)^0, 0*Z(2) ] ] ), 
      VectorSpace( GF(2), [ [ 0*Z(2), Z(2)^0, Z(2)^0 ] ] ), 
      VectorSpace( GF(2), [ [ Z(2)^0, 0*Z(2), 0*Z(2) ] ] ), 
      VectorSpace( GF(2), [ [ Z(2)^0, 0*Z(2), Z(2)^0 ] ] ), 
      VectorSpace( GF(2), [ [ Z(2)^0, Z(2)^0, 0*Z(2) ] ] ), 
      VectorSpace( GF(2), [ [ Z(2)^0, Z(2)^0, Z(2)^0 ] ] ) ],
  v := 7 )
