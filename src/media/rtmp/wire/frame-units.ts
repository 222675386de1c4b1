import { isParameterSet, type NalUnitCodec } from '../../rtp/nal-unit-codec.ts'

/** Parameter sets travel in the configuration; delimiters are the container's business here. */
export function belongsInFrame(codec: NalUnitCodec, nalUnit: Buffer): boolean {
  return codec.typeOf(nalUnit) !== codec.delimiterType && !isParameterSet(codec, nalUnit)
}
