import path from 'node:path';
import type { Protocol } from 'devtools-protocol/types/protocol.d.ts';
import type { CdpConnection } from '../cdp/cdp-connection.ts';
import { quotedText } from '../page/page-text.ts';

export interface DownloadOptions {
  /** Absolute path of the folder for downloads; `undefined` refuses them. */
  readonly folder: string | undefined;
  /** @param sentence says what was downloaded, or refused */
  readonly onEvent: (frameId: string, sentence: string) => void;
}

type Begun = Protocol.Browser.DownloadWillBeginEvent;
type Progress = Protocol.Browser.DownloadProgressEvent;

const MAX_OPEN = 100;

/**
 * Refuses the downloads of a context, or keeps them in a folder, and reports each.
 * @returns what stops the telling
 * @throws CdpError
 */
export async function followDownloads(
  { root }: CdpConnection,
  browserContextId: string,
  { folder, onEvent }: DownloadOptions,
): Promise<() => void> {
  const open = new Map<string, Begun>();
  const onBegun = (begun: Begun) => {
    if (folder === undefined) onEvent(begun.frameId, refused(begun));
    else if (open.size < MAX_OPEN) open.set(begun.guid, begun);
  };
  const onProgress = (progress: Progress) => {
    const begun = open.get(progress.guid);
    if (begun === undefined || progress.state === 'inProgress') return;
    open.delete(progress.guid);
    onEvent(begun.frameId, ended(begun, progress, folder!));
  };
  const stops = [root.on('Browser.downloadWillBegin', onBegun), root.on('Browser.downloadProgress', onProgress)];
  const where =
    folder === undefined ? { behavior: 'deny' as const } : { behavior: 'allow' as const, downloadPath: folder };
  await root.send('Browser.setDownloadBehavior', { ...where, browserContextId, eventsEnabled: true });
  return () => {
    for (const stop of stops) stop();
  };
}

function refused({ suggestedFilename, url }: Begun): string {
  return `The download of ${quotedText(suggestedFilename)} from ${quotedText(url)} was refused: downloads are off.`;
}

function ended(
  { suggestedFilename, url }: Begun,
  { state, receivedBytes, filePath }: Progress,
  folder: string,
): string {
  const from = `${quotedText(suggestedFilename)} from ${quotedText(url)}`;
  if (state === 'canceled') return `The download of ${from} failed.`;
  const file = filePath ?? path.join(folder, path.basename(suggestedFilename));
  return `${from} was downloaded to ${quotedText(file)} (${receivedBytes} bytes).`;
}
