import {
  AV_OPT_SEARCH_CHILDREN,
  AV_OPT_TYPE_STRING,
  Codec,
  CodecContext,
  type FFEncoderCodec,
  FFmpegError,
} from 'node-av'

export interface EncoderSetup {
  readonly settings: Partial<CodecContext>
  /** Of the codec itself. */
  readonly options: Readonly<Record<string, string>>
  /** The sentence when this FFmpeg was built without the codec. */
  readonly ifMissing: string
  /** How the sentence begins when it cannot be opened. */
  readonly ifRefused: string
}

/** An encoder of FFmpeg, which its caller frees. */
export function openEncoder(name: FFEncoderCodec, setup: EncoderSetup): CodecContext {
  const codec = Codec.findEncoderByName(name)
  if (!codec) throw new Error(setup.ifMissing)
  const context = new CodecContext()
  context.allocContext3(codec)
  Object.assign(context, setup.settings)
  // As options of their own, because a dictionary handed to `open2` is freed twice by the library.
  for (const [option, value] of Object.entries(setup.options)) {
    context.setOption(option, value, AV_OPT_TYPE_STRING, AV_OPT_SEARCH_CHILDREN)
  }
  const result = context.open2Sync(codec, null)
  if (result >= 0) return context
  context.freeContext()
  throw new Error(`${setup.ifRefused}: ${new FFmpegError(result).message}.`)
}
