/** The pictures of alert events, for what sends them on. */
export interface EventPictures {
  /** A JPEG; undefined where there is none, or none came within this time. */
  read(eventId: string, options: { readonly waitMs: number }): Promise<Buffer | undefined>
}
