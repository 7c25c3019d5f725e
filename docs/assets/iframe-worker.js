// Pages that are opened as files may not start workers; the search of the site is one. Here a worker
// is a hidden frame that runs the same script and is sent the same messages.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      this.onmessage = null;
      this.frame = document.body.appendChild(document.createElement("iframe"));
      this.frame.hidden = true;
      const inside = this.frame.contentWindow;
      inside.postMessageToPage = (data) => {
        const event = new MessageEvent("message", { data });
        this.dispatchEvent(event);
        this.onmessage?.(event);
      };
      inside.document.open();
      inside.document.write(
        "<script>self.receive = (data) => dispatchEvent(new MessageEvent('message', { data }));" +
          "self.postMessage = (data) => self.postMessageToPage(structuredClone(data));</script>",
      );
      inside.document.close();
      const script = inside.document.createElement("script");
      script.src = address;
      this.waiting = [];
      script.onload = () => {
        for (const data of this.waiting) inside.receive(data);
        this.waiting = null;
      };
      inside.document.body.append(script);
    }

    postMessage(data) {
      const copy = structuredClone(data);
      if (this.waiting) this.waiting.push(copy);
      else setTimeout(() => this.frame.contentWindow.receive(copy));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
