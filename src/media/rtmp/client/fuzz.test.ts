import { test } from 'vitest'
import { fuzzRtmpPlayer } from '../../../../test/fuzz/rtmp-player.ts'

test(
  'mutated servers end with a sentence: they neither break the player nor make it hang',
  () => fuzzRtmpPlayer(2, 1),
  30_000,
)
