import { expect, test } from 'vitest'
import { withTls } from './smtp.ts'

test.each([
  ['smtp://mail.example.com:587', 'smtp://mail.example.com:587?requireTLS=true'],
  ['smtp://user:pass@mail.example.com', 'smtp://user:pass@mail.example.com?requireTLS=true'],
  ['smtp://mail.example.com?requireTLS=false', 'smtp://mail.example.com?requireTLS=false'],
  ['smtps://mail.example.com', 'smtps://mail.example.com'],
  ['smtp://127.0.0.1:2525', 'smtp://127.0.0.1:2525'],
  ['smtp://localhost', 'smtp://localhost'],
])('%s becomes %s', (url, expected) => expect(withTls(url)).toBe(expected))
