/** The TCP ports of the media server; undefined where one is not open. Of each protocol one is: plain, by TLS, or both. */
export interface MediaPorts {
  readonly rtspPort: number | undefined
  readonly rtmpPort: number | undefined
  readonly rtspsPort: number | undefined
  readonly rtmpsPort: number | undefined
}

/** All that the service listens on, but for WebRTC. */
export interface ServicePorts extends MediaPorts {
  /** HTTPS where there is a certificate. */
  readonly httpPort: number
  /** Plain HTTP that sends on to HTTPS. */
  readonly httpRedirectPort: number | undefined
}
