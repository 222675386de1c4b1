import { createECDH, randomBytes } from 'node:crypto'
import ece from 'http_ece'
import { expect, test } from 'vitest'
import { encryptPush } from './encrypt.ts'

const bytes = (base64url: string) => Buffer.from(base64url, 'base64url')

test('the example of RFC 8291 comes out byte for byte', () => {
  const keys = {
    p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  }
  const seeds = {
    salt: bytes('DGv6ra1nlYgDCS1FRnbzlw'),
    privateKey: bytes('yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw'),
  }
  const message = encryptPush(Buffer.from('When I grow up, I want to be a watermelon'), keys, seeds)
  expect(message.toString('base64url')).toBe(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
})

test.each([0, 1, 100, 3_500])('an independent decoder reads a message of %i bytes', (length) => {
  const browser = createECDH('prime256v1')
  const auth = randomBytes(16)
  const keys = { p256dh: browser.generateKeys().toString('base64url'), auth: auth.toString('base64url') }
  const text = randomBytes(length)
  const message = encryptPush(text, keys)
  expect(message.length).toBeLessThanOrEqual(4_096)
  const read = ece.decrypt(message, { version: 'aes128gcm', privateKey: browser, authSecret: auth })
  expect(read.equals(text)).toBe(true)
  expect(encryptPush(text, keys).equals(message)).toBe(false)
})
