/** What a broker does that ends the connection to it: the rest of a sentence that begins with the broker's name. */
export class BrokerFault extends Error {
  /** The library passes on only those errors of a connection that have one. */
  readonly code = 'ERR_BROKER_FAULT'
}

/** The fixed header of an MQTT packet (MQTT 5 §2.1). */
export interface PacketHead {
  /** 1 to 15, as in §2.1.2. */
  readonly kind: number
  readonly flags: number
  /** Of the whole packet, this header included. */
  readonly bytes: number
  /** Of what stands behind this header. */
  readonly bodyBytes: number
}

/**
 * Reads the headers of packets in a stream of bytes and passes over the rest. Of each chunk it answers pieces that begin no more
 * than `maxPackets` packets each; together they are the chunk. Throws what `onHead` throws.
 */
export function createPacketHeads(
  onHead: (head: PacketHead) => void,
  maxPackets: number,
): (chunk: Buffer) => readonly Buffer[] {
  let first: number | undefined
  let lengthBytes = 0
  let length = 0
  let leftInPacket = 0

  return (chunk) => {
    const pieces: Buffer[] = []
    let [pieceStart, packets] = [0, 0]
    for (let at = 0; at < chunk.length;) {
      if (leftInPacket > 0) {
        const passed = Math.min(leftInPacket, chunk.length - at)
        leftInPacket -= passed
        at += passed
      } else if (first === undefined) {
        if (packets === maxPackets) {
          pieces.push(chunk.subarray(pieceStart, at))
          ;[pieceStart, packets] = [at, 0]
        }
        packets += 1
        first = chunk[at++]!
      } else {
        const byte = chunk[at++]!
        length += (byte & 0x7f) * 128 ** lengthBytes++
        if (byte < 0x80) {
          onHead({ kind: first >> 4, flags: first & 0x0f, bytes: 1 + lengthBytes + length, bodyBytes: length })
          leftInPacket = length
          ;[first, lengthBytes, length] = [undefined, 0, 0]
        } else if (lengthBytes === 4) throw new BrokerFault('sends what is not MQTT')
      }
    }
    if (pieceStart < chunk.length) pieces.push(chunk.subarray(pieceStart))
    return pieces
  }
}
