import { createBitReader } from './bit-reader.ts'

/** What an AudioSpecificConfig says (ISO 14496-3 §1.6.2.1). */
export interface AacConfig {
  readonly objectType: number
  /** Of the sound that comes out, which for explicit SBR is twice the core's. */
  readonly sampleRate: number
  readonly channels: number
  /** Samples at `sampleRate` that one frame makes. */
  readonly samplesPerFrame: number
}

const RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350]
/** Index 0 means that the channels are described elsewhere; stereo is the best guess. */
const CHANNELS = [2, 1, 2, 3, 4, 5, 6, 8]
const SBR = 5
const PARAMETRIC_STEREO = 29

/** Undefined when it is cut short or names no usable rate. */
export function parseAacConfig(config: Buffer): AacConfig | undefined {
  const reader = createBitReader(config)
  const readObjectType = () => {
    const type = reader.bits(5)
    return type === 31 ? 32 + reader.bits(6) : type
  }
  const readRate = () => {
    const index = reader.bits(4)
    return index === 15 ? reader.bits(24) : (RATES[index] ?? 0)
  }

  let objectType = readObjectType()
  const coreRate = readRate()
  const channels = CHANNELS[reader.bits(4)]
  const isExtended = objectType === SBR || objectType === PARAMETRIC_STEREO
  const sampleRate = isExtended ? readRate() : coreRate
  if (isExtended) objectType = readObjectType()
  const coreSamples = reader.flag() ? 960 : 1024
  if (reader.isPastEnd || !channels || coreRate < 1000 || sampleRate < coreRate || sampleRate > 192_000)
    return undefined
  return { objectType, sampleRate, channels, samplesPerFrame: Math.round((coreSamples * sampleRate) / coreRate) }
}
