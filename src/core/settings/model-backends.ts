/** One message of a conversation with a model. */
export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

/** Asks the model of the calling client (MCP, "Sampling"). */
export interface ClientSampling {
  /** True if the client says that it supports sampling. */
  readonly canSample: boolean;
  /**
   * Sends `sampling/createMessage` to the client and returns the text of its answer.
   * @throws GatewayError when the client cannot, refuses, or the call was cancelled
   */
  sample(request: ModelRequest): Promise<SampledText>;
}

export interface SampledText {
  readonly text: string;
  /** The model that the client has used, if it says. */
  readonly model: string | undefined;
  /** As MCP has it, such as `endTurn` or `maxTokens`. */
  readonly stopReason: string | undefined;
}

export interface ModelRequest {
  /** In order; the last one is answered. */
  readonly messages: readonly ModelMessage[];
  /** Overrides the model of the backend's config. */
  readonly model?: string | undefined;
  /** 0 to 2; the backend's own default if absent. */
  readonly temperature?: number | undefined;
  /** Most tokens to generate; the backend's own default if absent. */
  readonly maxTokens?: number | undefined;
}

export interface GenerateOptions {
  /** Aborting it ends the request. */
  readonly signal: AbortSignal;
  /** Gets each piece of text as it arrives, from backends that stream. */
  readonly onText?: ((piece: string) => void) | undefined;
  /** The calling client, for the backend `client`. */
  readonly client?: ClientSampling | undefined;
}

export interface Generation {
  readonly text: string;
  /** Name of the backend that answered. */
  readonly backend: string;
  /** As the backend reports it; absent if it does not. */
  readonly model: string | undefined;
  /** The reason why it ended: a whole answer, or the limit on tokens. */
  readonly end: 'whole' | 'length';
}

export interface BackendState {
  readonly name: string;
  readonly available: boolean;
  /** The reason why it is not available, and what to do. */
  readonly reason?: string | undefined;
}

/** The language models of the config's section `models`, and that of the calling client. */
export interface ModelBackends {
  /** Name of the default backend; `undefined` if there is none. */
  readonly defaultName: string | undefined;
  /**
   * Generates the next message of a conversation with a named backend, or the default one.
   * @throws GatewayError `MODEL_FAILED` when the backend is unknown or gives no answer that can be used; the reason of `signal`
   */
  generate(name: string | undefined, request: ModelRequest, options: GenerateOptions): Promise<Generation>;
  /** Checks all backends at the same time, in a second at most. The answer is kept for some seconds. */
  states(client: ClientSampling | undefined): Promise<readonly BackendState[]>;
}
