/** An offer that can be answered, though nobody will ever connect with it. */
export function webrtcOffer(direction: 'recvonly' | 'sendonly'): string {
  const fingerprint = Array.from({ length: 32 }, () => 'AB').join(':')
  const lines = [
    ...['v=0', 'o=- 1 2 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0'],
    ...['m=video 9 UDP/TLS/RTP/SAVPF 102', 'c=IN IP4 0.0.0.0', 'a=rtcp-mux', 'a=setup:actpass', 'a=mid:0'],
    ...['a=ice-ufrag:abcd', 'a=ice-pwd:abcdefghijklmnopqrstuvwx', `a=fingerprint:sha-256 ${fingerprint}`],
    ...[`a=${direction}`, 'a=rtpmap:102 H264/90000'],
    'a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f',
  ]
  return `${lines.join('\r\n')}\r\n`
}
