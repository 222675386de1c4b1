const NO_VIDEO = 'There is no video of this camera now.'

/**
 * What a reader learns of why a camera is not connected: its owner all of it; others nothing of where it is, or how it is set up,
 * which is what the sentence is about.
 */
export function cameraFaultFor({ isOwner = false }: { readonly isOwner?: boolean }, sentence: string): string {
  return isOwner ? sentence : NO_VIDEO
}
