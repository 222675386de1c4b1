import { test } from 'vitest'
import { fuzzRtsp } from '../../../../test/fuzz/rtsp.ts'

test('two seconds of mutated sessions neither crash nor hang nor grow it', { timeout: 20_000 }, () => fuzzRtsp(2, 1))
