import {
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_UNSPECIFIED,
  AVCOL_TRC_UNSPECIFIED,
  type AVColorSpace,
  type Frame,
} from 'node-av'

/** How colour can be stored for the scaler to understand it. */
const understood: ReadonlySet<AVColorSpace> = new Set([
  AVCOL_SPC_RGB,
  AVCOL_SPC_BT709,
  AVCOL_SPC_FCC,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_SPC_BT2020_NCL,
])

/**
 * Leaves of a frame's tags only what scaling has to know, so that colours keep their values: anything else is refused, or
 * converted at ten times the cost.
 */
export function simplifyTags(frame: Frame): void {
  if (!understood.has(frame.colorSpace)) frame.colorSpace = AVCOL_SPC_UNSPECIFIED
  frame.colorPrimaries = AVCOL_PRI_UNSPECIFIED
  frame.colorTrc = AVCOL_TRC_UNSPECIFIED
}

/** Passes the source's tags on to players. */
export function copyTags(target: Frame, source: Frame): void {
  target.colorSpace = storedAs(source.colorSpace)
  target.colorPrimaries = source.colorPrimaries
  target.colorTrc = source.colorTrc
  target.chromaLocation = source.chromaLocation
  target.sampleAspectRatio = source.sampleAspectRatio
}

/** What RGB becomes in a picture of brightness and colour; everything else stays what it is. */
export function storedAs(space: AVColorSpace): AVColorSpace {
  return space === AVCOL_SPC_RGB ? AVCOL_SPC_BT470BG : space
}
