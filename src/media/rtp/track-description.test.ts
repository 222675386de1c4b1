import { expect, test } from 'vitest'
import { describeH264Track } from './h264-codec.ts'
import { describeH265Track } from './h265-codec.ts'

test('an H.264 track carries its sets and its profile', () => {
  const sets = [Buffer.from('6742c01ed9', 'hex'), Buffer.from('68cb83cb20', 'hex')]
  expect(describeH264Track(96, sets)).toMatchObject({
    codec: 'h264',
    clockRate: 90_000,
    fmtp: 'packetization-mode=1; sprop-parameter-sets=Z0LAHtk=,aMuDyyA=; profile-level-id=42C01E',
    parameterSets: sets,
  })
})

test('an H.265 track carries each kind of set by its name', () => {
  const sets = [Buffer.from('4001', 'hex'), Buffer.from('4201', 'hex'), Buffer.from('4401', 'hex')]
  expect(describeH265Track(96, sets)).toMatchObject({
    codec: 'h265',
    encodingName: 'H265',
    fmtp: 'sprop-vps=QAE=; sprop-sps=QgE=; sprop-pps=RAE=',
  })
})
