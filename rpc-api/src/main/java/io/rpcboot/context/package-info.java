/**
 * What travels with a call beside its arguments: attachments, deadline, cancellation.
 */
@NullMarked
package io.rpcboot.context;

import org.jspecify.annotations.NullMarked;
