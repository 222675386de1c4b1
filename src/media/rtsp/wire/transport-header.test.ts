import { expect, test } from 'vitest'
import { formatTransport, parseTransport, parseTransportAnswer } from './transport-header.ts'

test.each([
  ['RTP/AVP/TCP;unicast;interleaved=0-1', [{ protocol: 'tcp', channels: [0, 1] }]],
  ['RTP/AVP/TCP;interleaved=4', [{ protocol: 'tcp', channels: [4, 5] }]],
  ['RTP/AVP/TCP;unicast', [{ protocol: 'tcp', channels: undefined }]],
  ['RTP/AVP/TCP;unicast;interleaved=900-901', [{ protocol: 'tcp', channels: undefined }]],
  ['rtp/avp;unicast;client_port=5000-5001', [{ protocol: 'udp', clientPorts: [5000, 5001] }]],
  ['RTP/AVP/UDP; unicast; client_port=5000; mode="RECORD"', [{ protocol: 'udp', clientPorts: [5000, 5001] }]],
  [
    'RTP/AVP;multicast;client_port=1-2,RTP/SAVP;client_port=1-2,RTP/AVP;client_port=6-7,RTP/AVP/TCP',
    [
      { protocol: 'udp', clientPorts: [6, 7] },
      { protocol: 'tcp', channels: undefined },
    ],
  ],
  ['RTP/AVP;unicast', []],
  ['RTP/AVP;unicast;client_port=0-1', []],
  ['RTP/AVP;unicast;client_port=70000-70001', []],
  ['', []],
])('%s', (header, offers) => expect(parseTransport(header)).toEqual(offers))

test('what was agreed on is said back', () => {
  expect(formatTransport({ protocol: 'tcp', channels: [2, 3] }, 'record')).toBe(
    'RTP/AVP/TCP;unicast;interleaved=2-3;mode=record',
  )
  expect(formatTransport({ protocol: 'udp', clientPorts: [6, 7], serverPorts: [8, 9] }, 'play')).toBe(
    'RTP/AVP;unicast;client_port=6-7;server_port=8-9',
  )
})

test.each<[header: string, answer: unknown]>([
  ['RTP/AVP/TCP;unicast;interleaved=4-5;ssrc=1', { protocol: 'tcp', channels: [4, 5] }],
  ['rtp/avp/tcp; interleaved = 4', { protocol: 'tcp', channels: [4, 5] }],
  ['RTP/AVP/TCP;unicast', { protocol: 'tcp', channels: undefined }],
  ['RTP/AVP;unicast;client_port=6-7;server_port=8-9;source=10.0.0.9', { protocol: 'udp', serverPorts: [8, 9] }],
  ['RTP/AVP/UDP;unicast;client_port=6-7', { protocol: 'udp', serverPorts: undefined }],
  ['RTP/AVP;unicast;server_port=0-1', { protocol: 'udp', serverPorts: undefined }],
  ['RTP/AVP;multicast;destination=224.0.0.1', undefined],
])('a server’s %s', (header, answer) => expect(parseTransportAnswer(header)).toEqual(answer))
