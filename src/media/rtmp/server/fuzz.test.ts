import { test } from 'vitest'
import { fuzzRtmp } from '../../../../test/fuzz/rtmp.ts'

test('mutated sessions neither break the server nor hang nor stay in memory', () => fuzzRtmp(2, 1), 30_000)
