/**
 * Words in the most common passwords of known breaches, in lower case. A common password of twelve characters or more
 * is nearly always one or two of them with digits, a year, a run of keys or a repetition around them. Such passwords
 * are recognised by their structure and need no list of their own.
 */
const words = new Set(
  `password passwort passw contrasena motdepasse wachtwoord senha parola haslo
  admin administrator root superuser user guest login access master server system manager secret private security
  welcome willkommen bienvenue bonjour hello hallo letmein changeme change please default temp temporary test testing
  tester demo example sample trustno trust iloveyou loveyou love lovely lover myself forever always princess
  prinzessin sunshine sonnenschein monkey dragon shadow superman batman spiderman ironman starwars pokemon naruto
  football fussball baseball basketball soccer hockey liverpool arsenal chelsea barcelona realmadrid juventus
  manchester united yankees cowboys lakers steelers ranger rangers eagles ferrari porsche mercedes corvette mustang
  harley yamaha honda toyota michael jordan jennifer jessica michelle ashley amanda nicole daniel andrew matthew
  joshua thomas robert charlie george william anthony christopher nicholas jonathan benjamin alexander samantha
  victoria elizabeth stephanie hannah sophie charlotte patrick martin richard steven brandon justin tyler jackson
  maggie ginger pepper buster bailey cookie cheese chocolate banana orange apple cherry peanut butterfly flower
  summer winter spring autumn sommer herbst january february march april june july august september october november
  december monday tuesday wednesday thursday friday saturday sunday internet computer laptop windows microsoft google
  facebook twitter linkedin instagram youtube amazon yahoo gmail hotmail samsung iphone android nintendo playstation
  minecraft fortnite matrix killer hunter fuckyou fuckme fuckoff asshole bitch whatever nothing money power freedom
  angel angels heaven jesus christ jesuschrist blessed faith family mother father brother sister daddy mommy baby
  babygirl babyboy sweetie sweetheart honey darling beautiful handsome gorgeous sexy purple yellow green black white
  silver golden diamond crystal phoenix tiger lion eagle falcon wolf panther jaguar kitty kitten puppy doggy cat dog
  fish horse chicken turtle elephant dolphin penguin london paris berlin madrid america england germany deutschland
  france italia espana canada australia china india brazil brasil mexico texas california newyork florida company
  business office work school student teacher college university doctor nurse manager director president database
  oracle mysql postgres cisco linux ubuntu docker github network wireless router modem firewall backup support
  service customer finance account banking marketing my your the one two three four five six seven eight nine ten me
  you i a is it in of and to im new old good bad big little super mega ultra pass word key code pin qwerty qwertz
  azerty asdf zxcv abc abcd xyz rock star rockyou rockstar music guitar metallica nirvana slipknot eminem blink beer
  happy lucky crazy cool awesome amazing number first second million dollar euro boss king queen prince knight ninja
  pirate wizard magic gandalf hobbit merlin voodoo thunder lightning rainbow unicorn mickey donald snoopy garfield
  scooter tigger winnie bandit rocky maverick midnight sparky scorpion yankee zaq nimda`
    .split(/\s+/)
    .filter((word) => word !== ''),
);
const longestWord = Math.max(...[...words].map(({ length }) => length));

/** Rows and columns of keyboards, and other well-known orders; in either direction, from any position. */
const runs = [
  '1234567890',
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'qsdfghjklm',
  'zxcvbnm',
  'yxcvbnm',
  'wxcvbn',
  '1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik,9ol.',
  '1q2w3e4r5t6y7u8i9o0p',
  'q1w2e3r4t5y6u7i8o9p0',
  'qazwsxedcrfvtgbyhnujm',
  'zaq1xsw2cde3vfr4bgt5nhy6mju7',
  '147258369',
  '159753',
].flatMap((run) => [run, [...run].reverse().join('')]);

const leastRun = 3;
/** No common password has more parts than this. */
const mostParts = 4;

const substitutions: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

/** Whether a password is easy to guess: made of a few well-known words, runs of keys and numbers. */
export function isCommonPassword(password: string): boolean {
  const lower = password.normalize('NFKC').toLowerCase();
  const plain = [...lower].map((character) => substitutions[character] ?? character).join('');
  return isMadeOfFewParts(lower, plain);
}

/**
 * @param lower as it is written
 * @param plain of the same length, with letters for the digits and signs that look like them
 */
function isMadeOfFewParts(lower: string, plain: string): boolean {
  const length = lower.length;
  // The fewest parts that make up the text up to each position.
  const parts = [0, ...Array<number>(length).fill(Number.POSITIVE_INFINITY)];
  const reach = (from: number, to: number, cost: number) => {
    parts[to] = Math.min(parts[to]!, parts[from]! + cost);
  };
  for (let from = 0; from < length; from++) {
    if (parts[from]! > mostParts) continue;
    // Signs and spaces between parts cost nothing.
    if (/[^\p{L}\p{N}]/u.test(lower.charAt(from))) reach(from, from + 1, 0);
    for (let to = from + 1; to <= Math.min(length, from + longestWord); to++) {
      if (words.has(lower.slice(from, to)) || words.has(plain.slice(from, to))) reach(from, to, 1);
    }
    for (let to = from + leastRun; to <= length && isRun(lower.slice(from, to)); to++) reach(from, to, 1);
    for (let to = from + 1; to <= length && /^\d+$/.test(lower.slice(from, to)); to++) {
      // A year, a date or a few digits; more of them, which are no run, are hard to guess.
      reach(from, to, Math.ceil((to - from) / 4));
    }
    // The same part again: a repetition of what precedes, however long.
    for (let size = 1; size <= Math.min(from, length - from); size++) {
      const unit = lower.slice(from - size, from);
      if (lower.startsWith(unit, from)) reach(from, from + size, size < leastRun ? 0.25 : 0);
    }
  }
  return parts[length]! <= mostParts;
}

function isRun(text: string): boolean {
  return runs.some((run) => run.includes(text)) || /^(.)\1+$/u.test(text);
}
