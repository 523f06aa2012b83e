/**
 * Parts of a call that client and server share: end listeners, the context parameter,
 * checks of results, and context propagation to other threads. The client's references
 * and the server's calls use them; they use the public context and serialization. A
 * listener or interceptor of the application that throws never breaks the engine's part
 * of a call.
 */
@NullMarked
package io.rpcboot.internal.call;

import org.jspecify.annotations.NullMarked;
