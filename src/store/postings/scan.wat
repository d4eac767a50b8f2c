;; BM25 over posting lists. `scripts/wasm/build.mjs` compiles it into `store/kernels.wasm.ts`; wasm.ts lays out the memory
;; and plain.ts does the same in JavaScript. Sums are made in f64 and kept in f32, as that does.
(module
  (memory (export "memory") 1)

  ;; Adds the length of each document to its owner's. `totals` gets three u32: documents, owners that have one, and the sum of
  ;; lengths. A document of owner 0 is none. `seen` is zeroed room for a u32 an owner, and is left dirty. Gives 0, and stops, at an owner
  ;; above `highest`; else 1.
  (func (export "prepare")
    (param $lengths i32) (param $owners i32) (param $count i32) (param $ownerLengths i32) (param $highest i32)
    (param $seen i32) (param $totals i32) (result i32)
    (local $end i32) (local $owner i32) (local $length i32) (local $cell i32) (local $live i32) (local $liveOwners i32) (local $sum i32)
    (local.set $end (i32.add (local.get $owners) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $owners) (local.get $end)))
        (local.set $owner (i32.load (local.get $owners)))
        (if (local.get $owner)
          (then
            (if (i32.gt_u (local.get $owner) (local.get $highest)) (then (return (i32.const 0))))
            (local.set $length (i32.load (local.get $lengths)))
            (local.set $live (i32.add (local.get $live) (i32.const 1)))
            (local.set $sum (i32.add (local.get $sum) (local.get $length)))
            (local.set $owner (i32.shl (local.get $owner) (i32.const 2)))
            (local.set $cell (i32.add (local.get $seen) (local.get $owner)))
            (if (i32.eqz (i32.load (local.get $cell)))
              (then
                (local.set $liveOwners (i32.add (local.get $liveOwners) (i32.const 1)))
                (i32.store (local.get $cell) (i32.const 1))))
            (local.set $cell (i32.add (local.get $ownerLengths) (local.get $owner)))
            (i32.store (local.get $cell) (i32.add (i32.load (local.get $cell)) (local.get $length)))))
        (local.set $owners (i32.add (local.get $owners) (i32.const 4)))
        (local.set $lengths (i32.add (local.get $lengths) (i32.const 4)))
        (br $next)))
    (i32.store (local.get $totals) (local.get $live))
    (i32.store offset=4 (local.get $totals) (local.get $liveOwners))
    (i32.store offset=8 (local.get $totals) (local.get $sum))
    (i32.const 1))

  ;; Decodes the body of a posting list, `count` entries from `at`, whose first slot is `base`; `size` documents there are in all.
  ;; Each live document goes to `found` as two u32, number and frequency; its owner, when new, to `touched` as one; and the owner's
  ;; frequency grows at `ownerTf`. Gives the end of `found`; the end of `touched` is the global. Sets the globals that a caller checks:
  ;; where the body ended, and the last slot. A slot beyond `size` stops it, and the body then ended at 0.
  (global $touchedEnd (export "touchedEnd") (mut i32) (i32.const 0))
  (global $bodyEnd (export "bodyEnd") (mut i32) (i32.const 0))
  (global $lastSlot (export "lastSlot") (mut i32) (i32.const 0))
  (func (export "gather")
    (param $at i32) (param $count i32) (param $base i32) (param $size i32)
    (param $owners i32) (param $ownerTf i32) (param $found i32) (param $touched i32) (result i32)
    (local $slot i32) (local $value i32) (local $tf i32) (local $owner i32) (local $cell i32)
    (local.set $slot (i32.sub (local.get $base) (i32.const 1)))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (local.set $value (i32.load8_u (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (if (i32.ge_u (local.get $value) (i32.const 0x80))
          (then
            (local.set $value (call $more (local.get $at) (local.get $value)))
            (local.set $at (global.get $varintEnd))))
        (local.set $slot (i32.add (local.get $slot) (i32.add (i32.shr_u (local.get $value) (i32.const 1)) (i32.const 1))))
        (if (i32.ge_u (local.get $slot) (local.get $size))
          (then
            (local.set $at (i32.const 0))
            (br $done)))
        (local.set $tf (i32.const 1))
        (if (i32.and (local.get $value) (i32.const 1))
          (then
            (local.set $tf (i32.load8_u (local.get $at)))
            (local.set $at (i32.add (local.get $at) (i32.const 1)))
            (if (i32.ge_u (local.get $tf) (i32.const 0x80))
              (then
                (local.set $tf (call $more (local.get $at) (local.get $tf)))
                (local.set $at (global.get $varintEnd))))
            (local.set $tf (i32.add (local.get $tf) (i32.const 2)))))
        (local.set $owner (i32.load (i32.add (local.get $owners) (i32.shl (local.get $slot) (i32.const 2)))))
        (br_if $next (i32.eqz (local.get $owner)))
        (i32.store (local.get $found) (local.get $slot))
        (i32.store offset=4 (local.get $found) (local.get $tf))
        (local.set $found (i32.add (local.get $found) (i32.const 8)))
        (local.set $cell (i32.add (local.get $ownerTf) (i32.shl (local.get $owner) (i32.const 2))))
        (if (i32.eqz (i32.load (local.get $cell)))
          (then
            (i32.store (local.get $touched) (local.get $owner))
            (local.set $touched (i32.add (local.get $touched) (i32.const 4)))))
        (i32.store (local.get $cell) (i32.add (i32.load (local.get $cell)) (local.get $tf)))
        (br $next)))
    (global.set $touchedEnd (local.get $touched))
    (global.set $bodyEnd (local.get $at))
    (global.set $lastSlot (i32.sub (local.get $slot) (local.get $base)))
    (local.get $found))

  ;; The rest of a varint after its first byte; the global is where it ended. At most five bytes are read in all.
  (global $varintEnd (mut i32) (i32.const 0))
  (func $more (param $at i32) (param $value i32) (result i32)
    (local $shift i32) (local $byte i32)
    (local.set $value (i32.and (local.get $value) (i32.const 0x7f)))
    (local.set $shift (i32.const 7))
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (local.set $value (i32.or (local.get $value)
        (i32.shl (i32.and (local.get $byte) (i32.const 0x7f)) (local.get $shift))))
      (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
      (br_if $next (i32.and (i32.ge_u (local.get $byte) (i32.const 0x80)) (i32.lt_u (local.get $shift) (i32.const 32)))))
    (global.set $varintEnd (local.get $at))
    (local.get $value))

  ;; Adds `gain * tf / (tf + floor + slope * length)` to the score of each found document.
  (func (export "scoreDocuments")
    (param $found i32) (param $end i32) (param $lengths i32) (param $scores i32) (param $gain f64) (param $floor f64) (param $slope f64)
    (local $offset i32) (local $cell i32) (local $tf f64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $found) (local.get $end)))
        (local.set $offset (i32.shl (i32.load (local.get $found)) (i32.const 2)))
        (local.set $tf (f64.convert_i32_u (i32.load offset=4 (local.get $found))))
        (local.set $cell (i32.add (local.get $scores) (local.get $offset)))
        (f32.store (local.get $cell) (call $plus (f32.load (local.get $cell)) (local.get $tf)
          (i32.load (i32.add (local.get $lengths) (local.get $offset))) (local.get $gain) (local.get $floor) (local.get $slope)))
        (local.set $found (i32.add (local.get $found) (i32.const 8)))
        (br $next))))

  ;; The same for each touched owner, whose frequency it sets back to 0.
  (func (export "scoreOwners")
    (param $touched i32) (param $end i32) (param $ownerTf i32) (param $lengths i32) (param $scores i32)
    (param $gain f64) (param $floor f64) (param $slope f64)
    (local $offset i32) (local $cell i32) (local $tf f64)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $touched) (local.get $end)))
        (local.set $offset (i32.shl (i32.load (local.get $touched)) (i32.const 2)))
        (local.set $cell (i32.add (local.get $ownerTf) (local.get $offset)))
        (local.set $tf (f64.convert_i32_u (i32.load (local.get $cell))))
        (i32.store (local.get $cell) (i32.const 0))
        (local.set $cell (i32.add (local.get $scores) (local.get $offset)))
        (f32.store (local.get $cell) (call $plus (f32.load (local.get $cell)) (local.get $tf)
          (i32.load (i32.add (local.get $lengths) (local.get $offset))) (local.get $gain) (local.get $floor) (local.get $slope)))
        (local.set $touched (i32.add (local.get $touched) (i32.const 4)))
        (br $next))))

  (func $plus
    (param $score f32) (param $tf f64) (param $length i32) (param $gain f64) (param $floor f64) (param $slope f64) (result f32)
    (f32.demote_f64 (f64.add (f64.promote_f32 (local.get $score))
      (f64.div (f64.mul (local.get $gain) (local.get $tf))
        (f64.add (local.get $tf) (f64.add (local.get $floor)
          (f64.mul (local.get $slope) (f64.convert_i32_u (local.get $length)))))))))
)
