/** By either of its names. */
export const isH265 = (codec: string | undefined) => codec !== undefined && /^(h265|hevc)$/i.test(codec)
