/** Phrases by which a model refuses or covers itself. All lists are in lower case. */
export const COMPLIANCE_PHRASES: readonly string[] = [
  'as an ai',
  'as a language model',
  "i'm just an ai",
  "i can't help with",
  'i cannot help with',
  "i'm unable to",
  'i am unable to',
  "i'm not able to",
  'i cannot provide',
  "i can't provide",
  'consult a professional',
  'seek professional advice',
  "it's important to note",
  'my guidelines',
];

/** Beginnings that say nothing. */
export const PREAMBLES: readonly string[] = ['sure, ', 'certainly', 'great question', 'of course'];

/** Verbs behind "I" with which an author speaks of itself. */
export const FIRST_PERSON_VERBS: readonly string[] = [
  'am',
  'believe',
  'feel',
  'find',
  'hope',
  'know',
  'remember',
  'see',
  'think',
  'understand',
  'want',
  'wonder',
];

/** Beginnings of stories. */
export const NARRATIVE_OPENINGS: readonly string[] = [
  'once upon a time',
  'long ago',
  'it was a ',
  'there was once',
  'in the beginning',
  'the night ',
  'one morning',
];

/** Words that begin or carry an image. */
export const METAPHOR_WORDS: readonly string[] = [
  'like a',
  'like the',
  'as if',
  'as though',
  'shadow',
  'mirror',
  'river of',
  'echo',
  'thread',
  'whisper',
];

export const ETHICS_WORDS: readonly string[] = [
  'consent',
  'dignity',
  'ethical',
  'ethics',
  'fairness',
  'harm',
  'justice',
  'moral',
  'responsibility',
  'rights',
];

export const TECHNICAL_WORDS: readonly string[] = [
  'algorithm',
  'architecture',
  'cache',
  'compiler',
  'concurrency',
  'database',
  'encryption',
  'function',
  'interface',
  'latency',
  'protocol',
  'recursion',
  'server',
  'thread-safe',
  'transaction',
];

/** Words of feeling in four groups: joy, sorrow, anger and fear, tenderness. */
export const EMOTION_GROUPS: readonly (readonly string[])[] = [
  ['joy', 'happy', 'delight', 'laughter', 'wonder', 'hope'],
  ['grief', 'sad', 'sorrow', 'lonely', 'tears', 'loss'],
  ['anger', 'fear', 'afraid', 'rage', 'dread', 'anxious'],
  ['love', 'tender', 'gentle', 'compassion', 'warmth', 'trust'],
];
