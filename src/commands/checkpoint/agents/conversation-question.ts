/** A conversation to read. */
export interface ConversationQuestion {
  /** The folder in which the agent keeps conversations. */
  readonly state: string;
  /** The folder of the project. */
  readonly project: string;
  /** The number of turns of the conversation to take. */
  readonly keep: number;
  /** File of the session, if the agent has one for each session; otherwise the newest of the project. */
  readonly transcript: string | undefined;
}
