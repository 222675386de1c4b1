import { H264, H265 } from '../../builders/flv-tags.ts'
import { mutateOrder } from '../mutate-order.ts'
import { mutateText } from '../mutate-text.ts'
import { type Random } from '../random.ts'

const base64 = (...sets: readonly Buffer[]) => sets.map((set) => set.toString('base64')).join(',')

const SESSION = [
  'v=0',
  'o=- 0 0 IN IP4 127.0.0.1',
  's=camera',
  'c=IN IP4 0.0.0.0',
  't=0 0',
  'a=control:*',
  'a=range:npt=0-',
]

/** Sections as publishers and cameras write them. */
const SECTIONS: readonly (readonly string[])[] = [
  [
    'm=video 0 RTP/AVP 96',
    'a=rtpmap:96 H264/90000',
    `a=fmtp:96 packetization-mode=1; sprop-parameter-sets=${base64(H264.sps, H264.pps)}; profile-level-id=4D4028`,
    'a=control:trackID=0',
  ],
  [
    'm=video 0 RTP/AVP 97',
    'a=rtpmap:97 H265/90000',
    `a=fmtp:97 sprop-vps=${base64(H265.vps)}; sprop-sps=${base64(H265.sps)}; sprop-pps=${base64(H265.pps)}`,
    'a=control:rtsp://127.0.0.1/open/one/streamid=1',
  ],
  [
    'm=audio 0 RTP/AVP 98',
    'a=rtpmap:98 MPEG4-GENERIC/48000/2',
    'a=fmtp:98 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190',
    'a=control:streamid=2',
  ],
  ['m=audio 0 RTP/AVP 8', 'a=control:streamid=3'],
  ['m=audio 49170 RTP/AVP 111 0', 'a=rtpmap:111 opus/48000/2', 'a=fmtp:111 minptime=10;useinbandfec=1'],
  ['m=application 0 RTP/AVP 107', 'a=rtpmap:107 vnd.onvif.metadata/90000', 'a=control:track3'],
  ['m=video 0 RTP/AVP 26 96', 'a=rtpmap:96 H264/90000', 'a=framerate:25.0'],
]

/** What a stream is described with (RFC 8866), with lines, words and numbers that are others. */
export function sdpText(random: Random): string {
  const sections = Array.from({ length: 1 + random.below(3) }, () => random.pick(SECTIONS))
  const lines = [...SESSION, ...sections.flatMap((section) => mutateOrder(section, random))]
  return mutateText(`${lines.join('\r\n')}\r\n`, random)
}
