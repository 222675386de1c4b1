import { type Codec } from '../stream.ts'
import { type AccessUnit } from './access-unit.ts'
import { H264_TYPE, h264Type } from './h264-nal-unit.ts'
import { isH265Irap } from './h265-nal-unit.ts'

/** Whether decoding can begin with this picture. */
export function isKeyframeUnit(codec: Codec, { nalUnits }: AccessUnit): boolean {
  return nalUnits.some((unit) => (codec === 'h265' ? isH265Irap(unit) : h264Type(unit) === H264_TYPE.idr))
}
