/** The part of it that tests use; it comes without types. */
declare module 'yauzl' {
  import { type Readable } from 'node:stream'

  export interface Entry {
    readonly fileName: string
    readonly uncompressedSize: number
    readonly compressedSize: number
    readonly compressionMethod: number
    readonly crc32: number
  }

  interface Options {
    readonly lazyEntries?: boolean
    readonly strictFileNames?: boolean
    readonly autoClose?: boolean
  }

  export interface ZipFile {
    readonly entryCount: number
    eachEntry(): AsyncIterable<Entry>
    openReadStreamPromise(entry: Entry): Promise<Readable>
    close(): void
  }

  export function openPromise(path: string, options?: Options): Promise<ZipFile>
  export function fromBufferPromise(bytes: Buffer, options?: Options): Promise<ZipFile>
}
