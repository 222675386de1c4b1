const NO_VIDEO = 'There is no video of this camera now.'

/**
 * Why a camera is not connected, as far as this reader may know it. The sentence may name the camera's address and how it is set
 * up, so only its owner (or the owner's master) gets it.
 */
export function cameraFaultFor({ isOwner = false }: { readonly isOwner?: boolean }, sentence: string): string {
  return isOwner ? sentence : NO_VIDEO
}
