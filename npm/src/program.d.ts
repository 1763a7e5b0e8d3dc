/** What was asked for cannot be done: the message is a sentence that says why. */
export declare class TabiyaError extends Error {}
/** Where the program lies. */
export declare const here: URL;
/** The program, ready to be started as often as one likes. */
export declare function compile(address?: string | URL): Promise<WebAssembly.Module>;
/** Starts it. Questions are those of the crate `tabiya-wasm`; what is found on the way is told to `hear`. */
export declare function start(module: WebAssembly.Module): (question: object, hear?: (found: any) => void) => any;
