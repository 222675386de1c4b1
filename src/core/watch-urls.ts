/** Where a live path is watched in a browser, below the address of the service. */
export const hlsUrl = (baseUrl: string, mediaPath: string) => `${baseUrl}/hls/${mediaPath}/index.m3u8`

/** A page that plays it; WHEP and WHIP are below it. */
export const webrtcUrl = (baseUrl: string, mediaPath: string) => `${baseUrl}/webrtc/${mediaPath}`
