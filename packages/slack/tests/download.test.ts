import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MessageRefused, RateLimited } from '@svc/channel'
import { expect, test } from 'vitest'
import { slackChannel } from '../src/index.ts'
import { closeLater, fakeSlack, never, tokens, wireOf } from './support.ts'

const content = Buffer.from('0123456789')

async function world(scopes?: readonly string[]) {
  const slack = await fakeSlack(scopes && { scopes })
  const channel = slackChannel({ bot_token: tokens.bot_token, api_url: slack.api_url, wire: wireOf() })
  const { id, url_private: url } = slack.file('a b.txt', 'text/plain', content)
  return { slack, channel, id, file: { name: 'a b.txt', type: 'text/plain', bytes: 10, url } }
}

test('a file is fetched with the token, up to a size', async () => {
  const { channel, file } = await world()
  expect(Buffer.from(await channel.download(file, 10, never))).toEqual(content)
  await expect(channel.download(file, 9, never)).rejects.toThrow(
    new MessageRefused('a b.txt is larger than 9 bytes'),
  )
})

test('one that came by its id alone is looked up', async () => {
  const { channel, file, id } = await world()
  expect(Buffer.from(await channel.download({ ...file, url: `slack:${id}` }, 10, never))).toEqual(content)
  await expect(channel.download({ ...file, url: 'slack:F404' }, 10, never)).rejects.toBeInstanceOf(
    MessageRefused,
  )
})

test('without the right it is not, and no redirect is followed', async () => {
  const { channel, file } = await world(['chat:write'])
  await expect(channel.download(file, 10, never)).rejects.toThrow(/files:read/)
})

test('limits and mishaps are to be tried again, and a file that is gone is not', async () => {
  const { slack, channel, file } = await world()
  slack.limit(1, 9)
  await expect(channel.download(file, 10, never)).rejects.toEqual(new RateLimited(9_000))
  slack.break(1)
  await expect(channel.download(file, 10, never)).rejects.not.toBeInstanceOf(MessageRefused)
  const gone = { ...file, url: file.url.replace(/-F\d+/, '-F404') }
  await expect(channel.download(gone, 10, never)).rejects.toBeInstanceOf(MessageRefused)
})

test('the token goes to no other host', async () => {
  const asked: unknown[] = []
  const other = createServer((request, response) => {
    asked.push(request.headers)
    response.end('x')
  })
  await new Promise<void>((done) => other.listen(0, '127.0.0.1', done))
  closeLater(() => new Promise((done) => other.close(done)))
  const { port } = other.address() as AddressInfo
  const { channel, file } = await world()
  const urls = [
    `http://127.0.0.1:${port}/x`,
    'https://slack.com.example/x',
    'https://evilslack.com/x',
    'http://files.slack.com/x',
    'https://files.slack.com:8443/x',
    'https://user@example.com/files.slack.com',
    'file:///etc/passwd',
    'not an address',
  ]
  for (const url of urls)
    await expect(channel.download({ ...file, url }, 10, never), url).rejects.toBeInstanceOf(MessageRefused)
  expect(asked).toEqual([])
})
