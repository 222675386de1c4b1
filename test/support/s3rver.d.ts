/** The part of it that tests use; it comes without types. */
declare module '@20minutes/s3rver' {
  import { type Server } from 'node:http'

  interface S3rverOptions {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly resetOnClose: boolean
    readonly configureBuckets: readonly { readonly name: string }[]
  }

  export default class S3rver {
    constructor(options: S3rverOptions)
    readonly httpServer: Server
    run(): Promise<unknown>
    close(): Promise<void>
  }
}
