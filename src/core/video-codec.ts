/** The codecs of video that our own streams have. */
export type VideoCodec = 'h264' | 'h265'
