export class NetworkLog {
  async follow(): Promise<void> {}
}
