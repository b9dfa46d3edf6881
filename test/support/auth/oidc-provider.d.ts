/** The package has no types; of what it is given and gives, the tests use this. */
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  interface StoredToken {
    readonly scope?: string;
    readonly aud?: string | readonly string[];
    readonly isExpired: boolean;
    destroy(): Promise<void>;
  }

  interface Kind<T> {
    find(value: string): Promise<T | undefined>;
  }

  interface Grant {
    addOIDCScope(scope: string): void;
    addResourceScope(resource: string, scope: string): void;
    save(): Promise<string>;
  }

  interface Interaction {
    readonly prompt: {
      readonly name: string;
      readonly details: {
        readonly missingOIDCScope?: readonly string[];
        readonly missingResourceScopes?: Readonly<Record<string, readonly string[]>>;
      };
    };
    readonly params: { readonly client_id: string };
    readonly session?: { readonly accountId: string };
  }

  export default class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: Kind<StoredToken>;
    readonly ClientCredentials: Kind<StoredToken>;
    readonly RefreshToken: Kind<StoredToken>;
    readonly Grant: new (properties: {
      accountId: string;
      clientId: string;
    }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    on(event: string, listener: (...words: any[]) => void): void;
    use(step: (context: any, next: () => Promise<void>) => Promise<void>): void;
  }
}
