;; The scan of vector rows, four rows a step. `scripts/wasm/build.mjs` compiles it into `store/kernels.wasm.ts`.
;;
;; Memory holds one window of rows at a time; the caller places query, rows and results (see scan.ts). Steps read whole blocks and
;; whole groups of rows, so up to 15 bytes behind a row and three rows behind the last one must be readable; their values do not
;; matter: the query is padded with zeros, and the caller ignores the results of rows that are not there.
(module
  (memory (export "memory") 8)

  ;; Dot products of `count` int8 rows of `stride` bytes with a query of int16, times the row's own scale (an f32 behind its numbers),
  ;; times `factor`, as f32 at `out`. `queryEnd` - `query` is a multiple of 32: the query is padded to whole blocks of 16 numbers;
  ;; `scaleAt` is where the scale lies behind the padded numbers, at most 0.
  (func (export "dots")
    (param $rows i32) (param $count i32) (param $stride i32) (param $query i32) (param $queryEnd i32) (param $out i32)
    (param $scaleAt i32) (param $factor f32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $q i32) (local $end i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $v v128) (local $w v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $group
      (local.set $r0 (local.get $rows))
      (local.set $r1 (i32.add (local.get $r0) (local.get $stride)))
      (local.set $r2 (i32.add (local.get $r1) (local.get $stride)))
      (local.set $r3 (i32.add (local.get $r2) (local.get $stride)))
      (local.set $rows (i32.add (local.get $r3) (local.get $stride)))
      (local.set $q (local.get $query))
      (local.set $a0 (v128.const i32x4 0 0 0 0))
      (local.set $a1 (local.get $a0))
      (local.set $a2 (local.get $a0))
      (local.set $a3 (local.get $a0))
      (loop $block
        (local.set $v (v128.load (local.get $q)))
        (local.set $w (v128.load offset=16 (local.get $q)))
        (local.set $a0 (i32x4.add (local.get $a0) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $r0)))
          (i32x4.dot_i16x8_s (local.get $w) (v128.load8x8_s offset=8 (local.get $r0))))))
        (local.set $a1 (i32x4.add (local.get $a1) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $r1)))
          (i32x4.dot_i16x8_s (local.get $w) (v128.load8x8_s offset=8 (local.get $r1))))))
        (local.set $a2 (i32x4.add (local.get $a2) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $r2)))
          (i32x4.dot_i16x8_s (local.get $w) (v128.load8x8_s offset=8 (local.get $r2))))))
        (local.set $a3 (i32x4.add (local.get $a3) (i32x4.add
          (i32x4.dot_i16x8_s (local.get $v) (v128.load8x8_s (local.get $r3)))
          (i32x4.dot_i16x8_s (local.get $w) (v128.load8x8_s offset=8 (local.get $r3))))))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 16)))
        (br_if $block (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 32))) (local.get $queryEnd))))
      (v128.store (local.get $out) (f32x4.mul (f32x4.splat (local.get $factor)) (f32x4.mul
        (v128.load32_lane 3 (i32.add (local.get $r3) (local.get $scaleAt))
          (v128.load32_lane 2 (i32.add (local.get $r2) (local.get $scaleAt))
            (v128.load32_lane 1 (i32.add (local.get $r1) (local.get $scaleAt))
              (v128.load32_zero (i32.add (local.get $r0) (local.get $scaleAt))))))
        (f32x4.convert_i32x4_s
          (call $sums (local.get $a0) (local.get $a1) (local.get $a2) (local.get $a3))))))
      (br_if $group (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 16))) (local.get $end)))))

  ;; How many bits of `count` rows of `stride` bytes equal the query's, as f32 at `out`. `stride` is a multiple of 16, below 64 KB.
  (func (export "bits")
    (param $rows i32) (param $count i32) (param $stride i32) (param $query i32) (param $queryEnd i32) (param $out i32)
    (local $r0 i32) (local $r1 i32) (local $r2 i32) (local $r3 i32) (local $q i32) (local $end i32)
    (local $a0 v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $v v128)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $group
      (local.set $r0 (local.get $rows))
      (local.set $r1 (i32.add (local.get $r0) (local.get $stride)))
      (local.set $r2 (i32.add (local.get $r1) (local.get $stride)))
      (local.set $r3 (i32.add (local.get $r2) (local.get $stride)))
      (local.set $rows (i32.add (local.get $r3) (local.get $stride)))
      (local.set $q (local.get $query))
      (local.set $a0 (v128.const i32x4 0 0 0 0))
      (local.set $a1 (local.get $a0))
      (local.set $a2 (local.get $a0))
      (local.set $a3 (local.get $a0))
      (loop $block
        (local.set $v (v128.not (v128.load (local.get $q))))
        (local.set $a0 (i16x8.add (local.get $a0) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (local.get $v) (v128.load (local.get $r0)))))))
        (local.set $a1 (i16x8.add (local.get $a1) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (local.get $v) (v128.load (local.get $r1)))))))
        (local.set $a2 (i16x8.add (local.get $a2) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (local.get $v) (v128.load (local.get $r2)))))))
        (local.set $a3 (i16x8.add (local.get $a3) (i16x8.extadd_pairwise_i8x16_u
          (i8x16.popcnt (v128.xor (local.get $v) (v128.load (local.get $r3)))))))
        (local.set $r0 (i32.add (local.get $r0) (i32.const 16)))
        (local.set $r1 (i32.add (local.get $r1) (i32.const 16)))
        (local.set $r2 (i32.add (local.get $r2) (i32.const 16)))
        (local.set $r3 (i32.add (local.get $r3) (i32.const 16)))
        (br_if $block (i32.lt_u (local.tee $q (i32.add (local.get $q) (i32.const 16))) (local.get $queryEnd))))
      (v128.store (local.get $out) (f32x4.convert_i32x4_s (call $sums
        (i32x4.extadd_pairwise_i16x8_u (local.get $a0))
        (i32x4.extadd_pairwise_i16x8_u (local.get $a1))
        (i32x4.extadd_pairwise_i16x8_u (local.get $a2))
        (i32x4.extadd_pairwise_i16x8_u (local.get $a3)))))
      (br_if $group (i32.lt_u (local.tee $out (i32.add (local.get $out) (i32.const 16))) (local.get $end)))))

  ;; Writes the indexes (u32, at `out`) of the numbers above `floor` among `count` f32 at `scores`, a multiple of four; they count from
  ;; `index`. Those whose u32 at `owners` is 0 are left out. Gives the end of what was written; room for `count` indexes is needed.
  (func (export "above")
    (param $scores i32) (param $owners i32) (param $count i32) (param $floor f32) (param $index i32) (param $out i32) (result i32)
    (local $end i32) (local $floors v128) (local $mask i32)
    (local.set $floors (f32x4.splat (local.get $floor)))
    (local.set $end (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 2))))
    (loop $group
      (local.set $mask (i32x4.bitmask (v128.and
        (f32x4.gt (v128.load (local.get $scores)) (local.get $floors))
        (i32x4.ne (v128.load (local.get $owners)) (v128.const i32x4 0 0 0 0)))))
      (if (local.get $mask)
        (then
          (loop $bit
            (i32.store (local.get $out) (i32.add (local.get $index) (i32.ctz (local.get $mask))))
            (local.set $out (i32.add (local.get $out) (i32.const 4)))
            (br_if $bit (local.tee $mask (i32.and (local.get $mask) (i32.sub (local.get $mask) (i32.const 1))))))))
      (local.set $index (i32.add (local.get $index) (i32.const 4)))
      (local.set $owners (i32.add (local.get $owners) (i32.const 16)))
      (br_if $group (i32.lt_u (local.tee $scores (i32.add (local.get $scores) (i32.const 16))) (local.get $end))))
    (local.get $out))

  ;; Writes the indexes (u32, at `out`) of those of `count` u32 at `owners`, one at least, whose byte at `wanted` is not 0; they count from
  ;; `index`. Gives the end of what was written.
  (func (export "members")
    (param $owners i32) (param $count i32) (param $wanted i32) (param $index i32) (param $out i32) (result i32)
    (local $end i32)
    (local.set $end (i32.add (local.get $owners) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (if (i32.load8_u (i32.add (local.get $wanted) (i32.load (local.get $owners))))
        (then
          (i32.store (local.get $out) (local.get $index))
          (local.set $out (i32.add (local.get $out) (i32.const 4)))))
      (local.set $index (i32.add (local.get $index) (i32.const 1)))
      (br_if $next (i32.lt_u (local.tee $owners (i32.add (local.get $owners) (i32.const 4))) (local.get $end))))
    (local.get $out))

  ;; The four sums of the four lanes of each argument.
  (func $sums (param $a v128) (param $b v128) (param $c v128) (param $d v128) (result v128)
    (local.set $a (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $a) (local.get $b))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $a) (local.get $b))))
    (local.set $c (i32x4.add
      (i8x16.shuffle 0 1 2 3 16 17 18 19 4 5 6 7 20 21 22 23 (local.get $c) (local.get $d))
      (i8x16.shuffle 8 9 10 11 24 25 26 27 12 13 14 15 28 29 30 31 (local.get $c) (local.get $d))))
    (i32x4.add
      (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23 (local.get $a) (local.get $c))
      (i8x16.shuffle 8 9 10 11 12 13 14 15 24 25 26 27 28 29 30 31 (local.get $a) (local.get $c)))))
