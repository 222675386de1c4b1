import { emptyPicture } from '../../src/enhance/picture/rgb-picture.ts'
import { encodePng } from './png.ts'

/** Pictures of one colour, 64×64, as FFmpeg writes them. */
export const SMALL_JPEG = Buffer.from(
  '/9j/4AAQSkZJRgABAgAAAQABAAD/2wBDAAg+Pkk+SVVVVVVVVWRdZGhoaGRkZGRoaGhwcHCDg4NwcHBoaHBwfHyDg4+Tj4eHg4eTk5ubm7q6srLZ2eD/////xABK' +
    'AAEAAAAAAAAAAAAAAAAAAAAAAQEAAAAAAAAAAAAAAAAAAAAAEAEAAAAAAAAAAAAAAAAAAAAAEQEAAAAAAAAAAAAAAAAAAAAA/8AAEQgAQABAAwEiAAIRAAMRAP/a' +
    'AAwDAQACEQMRAD8AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA/9k=',
  'base64',
)
export const SMALL_WEBP = Buffer.from(
  'UklGRlIAAABXRUJQVlA4IEYAAAAQBACdASpAAEAAP3G412Q0ryumoggCkC4JaQDSeK+wNt4QQRQCQvijwAD+4Ll+uFssyf/+CC/EH6g1Gv0ITOTXYUM/rgAA',
  'base64',
)
export const SMALL_LOSSLESS_WEBP = Buffer.from('UklGRiIAAABXRUJQVlA4TBUAAAAvP8APAAcQ9Y/+B4CE8P+9FtH/1A8A', 'base64')

export const smallPng = (): Buffer => encodePng(emptyPicture(64, 64))
