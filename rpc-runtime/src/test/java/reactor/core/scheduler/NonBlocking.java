package reactor.core.scheduler;

/**
 * Stands for Reactor's interface, which marks the threads that must not wait. The engine
 * knows it by name, and does not depend on Reactor.
 */
public interface NonBlocking {

}
