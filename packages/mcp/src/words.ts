import { stemmer } from 'stemmer'

/** The words that people say, and the API's word for each. Phrases come before their words. */
const says: readonly (readonly [said: RegExp, meant: string])[] = [
  [/\b(pull|merge) requests?\b|\b(prs?|mrs?|crs?)\b/g, 'change request'],
  [/\b(which|what|how many|list all) (\w+ )?(\w+s)\b/g, 'list $&'],
  [/\b(state|details?|show|status) of\b/g, 'read'],
  [/\bask for (changes|improvements|corrections)\b/g, 'request changes feedback'],
  [/\b(which|what) account\b|\bbelongs? to\b/g, 'who the token acts as'],
  [/\bwho am i\b|\bmy (user|account|identity|email)\b/g, 'who the token acts as'],
  [/\b(api|access|personal) keys?\b|\bkeys?\b|\bcredentials?\b|\bpats?\b/g, 'token'],
  [/\b(environment|env) (variables?|vars?)\b|\bpasswords?\b|\benv\b/g, 'secret'],
  [/\b(repos?|repositories|git repository)\b/g, 'repository project'],
  [/\b(vms?|containers?|box(es)?|machines?|environments?)\b/g, 'sandbox session'],
  [/\b(agents?|bots?|conversations?|chats?|runs?|tasks?|jobs?)\b/g, '$& session'],
  [/\b(talk|ask|tell|instruct|write to|reply|speak)\b/g, 'send message prompt'],
  [/\b(said|say|dialogue|history|so far)\b/g, '$& conversation transcript'],
  [/\b(logs?|happened|happening|activity|progress)\b/g, '$& event log'],
  [/\b(pause|halt|kill|suspend|turn off|shut down)\b/g, 'stop'],
  [/\b(resume|wake|continue|turn on|unpause)\b/g, 'start resume'],
  [/\b(launch|spawn|kick off|begin|spin up)\b/g, 'start session'],
  [/\b(accept|land|approve|integrate)\b/g, 'merge'],
  [/\b(reject|decline|discard|abandon)\b/g, 'close without merging'],
  [/\b(comments?|review|feedback|improve|rework)\b/g, 'send feedback request changes'],
  [/\b(conflicts?|conflicting|mergeable|merge cleanly|dry run)\b/g, 'merge preview would merge now'],
  [/\b(what changed|patch|changed files|compare)\b/g, 'diff'],
  [/\b(remove|drop|destroy|get rid of|erase)\b/g, 'delete'],
  [/\b(update|store|save|change|put)\b/g, '$& set'],
  [/\b(rename|change the (name|title)|relabel)\b/g, 'rename edit name title'],
  [/\b(import|hook up|link|attach|existing)\b/g, 'connect existing'],
  [/\b(invalidate|disable|withdraw)\b/g, 'revoke'],
  [/\b(is it (up|down)|status of the (service|platform)|alive|version)\b/g, 'health service runs build'],
  [/\b(source|code|contents?)\b/g, '$& file'],
  [/\b(directory|folders?|tree)\b/g, 'folder list'],
]

const stopWords: ReadonlySet<string> = new Set(
  'a an and are be by can could do does for from how i in is it its me my of on or our please s so some that the their then there these this to us want was we what when where which who why will with would you your'.split(
    ' ',
  ),
)

/** A question in the API's own words. */
export function inApiWords(question: string): string {
  const lower = question.toLowerCase()
  return says.reduce((text, [said, meant]) => text.replace(said, meant), lower)
}

/** The words of a text, of a path and of an operation's id alike. */
export function splitWords(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '' && word !== 'v1')
}

/** The stem that the index knows a word by; null for words that say nothing. */
export function stemOf(word: string): string | null {
  return stopWords.has(word) ? null : stemmer(word)
}
