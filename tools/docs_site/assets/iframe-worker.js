// Browsers start no worker for a page that was opened from the disk. There the search's script runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class FrameWorker {
    constructor(address) {
      this.frame = Object.assign(document.createElement("iframe"), { hidden: true });
      document.body.append(this.frame);
      this.scope = this.frame.contentWindow;
      this.scope.document.open();
      this.scope.document.write("<body></body>");
      this.scope.document.close();
      this.scope.postMessage = (data) => setTimeout(() => this.onmessage?.(new MessageEvent("message", { data })));
      const script = this.scope.document.createElement("script");
      this.loaded = new Promise((loaded) => script.addEventListener("load", loaded));
      script.addEventListener("error", () => this.onerror?.(new Event("error", { cancelable: true })));
      script.src = new URL(address, location.href).href;
      this.scope.document.body.append(script);
    }
    postMessage(data) {
      this.loaded.then(() => this.scope.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {
      this.frame.remove();
    }
  };
}
