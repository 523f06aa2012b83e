/**
 * The dashboard: a page that Actuator serves next to the endpoint {@code rpc}, from which
 * it reads its data. Uses Spring Boot and the condition on properties; no package uses
 * it. Nothing on the page changes the application, and the browser connects to this
 * server only.
 */
@NullMarked
package io.rpcboot.dashboard;

import org.jspecify.annotations.NullMarked;
