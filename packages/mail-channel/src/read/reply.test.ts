import { expect, test } from 'vitest'
import { cutReply, marker } from './reply.ts'

const quotedMarker = `> ${marker}\n>\n> The question`

test.each<[string, string, string]>([
  ['no quote', 'Hello\nthere', 'Hello\nthere'],
  ['our line alone', `Yes\n\n${marker}\nThe question`, 'Yes'],
  [
    'with an attribution',
    `Yes\n\nOn Mon, 1 Jan 2026 at 10:00, svc <a@b.example> wrote:\n${quotedMarker}`,
    'Yes',
  ],
  ['on two lines', `Yes\n\nOn Mon, 1 Jan 2026 at 10:00, svc\n<a@b.example> wrote:\n\n${quotedMarker}`, 'Yes'],
  ['in German', `Ja\n\nAm 01.01.2026 um 10:00 schrieb svc <a@b.example>:\n${quotedMarker}`, 'Ja'],
  ['in French', `Oui\n\nLe lun. 1 janv. 2026 à 10:00, svc <a@b.example> a écrit :\n${quotedMarker}`, 'Oui'],
  [
    'Outlook',
    `Yes\n\n________________________________\nFrom: svc <a@b.example>\nSent: Monday\nTo: Ada\nSubject: Re: x\n\n${marker}\nThe question`,
    'Yes',
  ],
  ['without our line', `Yes\n\nOn Mon, 1 Jan 2026, svc wrote:\n> The question`, 'Yes'],
  ['an original message', `Yes\n\n-----Original Message-----\nFrom: svc\n\nThe question`, 'Yes'],
  ['a sentence that ends so', 'On Monday she wrote:\nall is well', 'On Monday she wrote:\nall is well'],
  ['a list above', `Do this:\n- a\n\nOn Mon, 1 Jan 2026, svc wrote:\n> b`, 'Do this:\n- a'],
  [
    'below the quote',
    `On Mon, 1 Jan 2026, svc wrote:\n> ${marker}\n> The question\n\nYes, below`,
    'Yes, below',
  ],
  ['nothing', `${marker}\nThe question`, ''],
])('%s', (_name, text, said) => {
  const cut = cutReply(text)
  expect(cut.said).toBe(said)
  if (text.includes('The question')) expect(cut.quoted).toContain('The question')
})

test('a text takes no longer than it is long', () => {
  for (const line of ['On 2026 x wrote:\n', '> x\n', 'From: x\n', `${marker}\n`, '\n', 'a:\n'])
    for (const end of ['', '> x\n', `${marker}\n`]) {
      const began = performance.now()
      cutReply(line.repeat(160_000 / line.length) + end)
      expect(performance.now() - began, JSON.stringify([line, end])).toBeLessThan(1_500)
    }
})
