package io.rpcboot.spring.actuate.endpoint;

import java.time.Clock;
import java.util.Arrays;
import java.util.function.Function;

import io.rpcboot.Side;
import io.rpcboot.metrics.history.RpcHistory;
import io.rpcboot.relay.RpcRelay;
import io.rpcboot.spring.actuate.descriptor.CallDescriptor;
import io.rpcboot.spring.actuate.descriptor.CallsAtInstanceDescriptor;
import io.rpcboot.spring.actuate.descriptor.Formats;
import io.rpcboot.spring.actuate.descriptor.HistoryDescriptor;
import io.rpcboot.spring.actuate.descriptor.InstanceDescriptor;
import io.rpcboot.spring.actuate.descriptor.LimitDescriptor;
import io.rpcboot.spring.actuate.descriptor.MethodStatsDescriptor;
import io.rpcboot.spring.actuate.descriptor.OfferedServiceDescriptor;
import io.rpcboot.spring.actuate.descriptor.ReferenceDescriptor;
import io.rpcboot.spring.actuate.descriptor.RegistrationDescriptor;
import io.rpcboot.spring.actuate.descriptor.RelayDescriptor;
import io.rpcboot.spring.actuate.descriptor.StreamDescriptor;
import io.rpcboot.spring.actuate.descriptor.SummaryDescriptor;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.context.ApplicationContext;

/**
 * The Actuator endpoint {@code rpc}: a summary, and details by path: services,
 * references, methods, instances, connections, streams, limits, calls, settings, history,
 * proto, openapi, relay, invoke. Read-only unless {@code management.endpoint.rpc.access}
 * allows more.
 *
 * @since 0.1.0
 */
@Endpoint(id = "rpc", defaultAccess = Access.READ_ONLY)
@RegisterReflectionForBinding({ SummaryDescriptor.class, OfferedServiceDescriptor.class,
		OfferedServiceDescriptor.Lines.class, ReferenceDescriptor.class, ReferenceDescriptor.Lines.class,
		InstanceDescriptor.class, InstanceDescriptor.All.class, CallsAtInstanceDescriptor.class,
		MethodStatsDescriptor.Details.class, MethodsReport.All.class, CallDescriptor.Noted.class,
		ConnectionsReport.All.class, ConnectionsReport.One.class, StreamDescriptor.All.class, LimitDescriptor.All.class,
		SettingsReport.All.class, HistoryDescriptor.class, RelayDescriptor.class, ProtoReport.All.class,
		ProtoReport.One.class, RegistrationDescriptor.class, InvokeOperation.Form.class, InvokeOperation.Called.class })
public class RpcEndpoint {

	private final SummaryReport summary;

	private final ServicesReport services;

	private final ReferencesReport references;

	private final MethodsReport methods;

	private final ConnectionsReport connections;

	private final StreamsReport streams;

	private final LimitsReport limits;

	private final SettingsReport settings;

	private final ProtoReport files;

	private final OpenApiReport openApi;

	private final ServerOperations operations;

	private final SettingsOperations changes;

	private final InvokeOperation calls;

	private final boolean showsValues;

	private final RpcBeans beans;

	RpcEndpoint(RpcBeans beans, ApplicationContext context, SettingsReport settings, SettingsOperations changes,
			boolean showsValues) {
		this.beans = beans;
		this.summary = new SummaryReport(beans, context, Clock.systemUTC());
		this.methods = new MethodsReport(beans);
		EffectiveOptionsReport policies = new EffectiveOptionsReport(beans, context.getEnvironment());
		this.services = new ServicesReport(beans, this.methods, policies);
		this.references = new ReferencesReport(beans, this.methods, policies);
		this.connections = new ConnectionsReport(beans);
		this.streams = new StreamsReport(beans, System::nanoTime);
		this.limits = new LimitsReport(beans);
		this.settings = settings;
		this.files = new ProtoReport(beans);
		this.openApi = new OpenApiReport(beans);
		this.operations = new ServerOperations(beans);
		this.changes = changes;
		this.calls = new InvokeOperation(beans, context, context.getBeanProvider(EndpointAccessResolver.class));
		this.showsValues = showsValues;
	}

	/** Runs the checks, so that findings have their start time. */
	public void check() {
		this.summary.check();
	}

	/**
	 * Returns the current state.
	 * @return a summary
	 */
	@ReadOperation
	public SummaryDescriptor rpc() {
		return this.summary.describe();
	}

	/**
	 * Returns a list or one of its elements.
	 * @param path {@code services}, {@code references}, {@code methods},
	 * {@code instances}, {@code connections}, {@code streams}, {@code limits},
	 * {@code calls}, {@code settings}, {@code history}, {@code proto}, {@code openapi},
	 * {@code relay} or {@code invoke}, then the identity of an element; nothing or an
	 * empty segment for the summary
	 * @param since start of the requested values of {@code history}, in milliseconds
	 * since 1970; null for all
	 * @return null if there is no such element
	 */
	@ReadOperation(producesFrom = AnswerForm.class)
	public @Nullable Object part(@Selector(match = Selector.Match.ALL_REMAINING) String[] path, @Nullable Long since) {
		return part(path, since, this.showsValues);
	}

	/**
	 * Deregisters or registers the server of this process, or changes its weight.
	 * @param operation {@code offline}, {@code online}, {@code drain} or {@code weight}
	 * @param weight 1 to 10000 for {@code weight}, else null
	 * @return the state after the operation
	 */
	@WriteOperation
	public RegistrationDescriptor operate(@Selector String operation, @Nullable String weight) {
		return operate(operation, weight, "requested over JMX");
	}

	/**
	 * Changes a setting of the running application until it ends.
	 * @param list {@code settings}
	 * @param property name of a property that is applied while the application runs
	 * @param value the value, null to reset it to that of the other sources
	 * @return the setting as it is in use
	 */
	@WriteOperation
	public SettingsReport.Setting change(@Selector String list, @Selector String property, @Nullable String value) {
		return change(list, property, value, "requested over JMX", this.showsValues);
	}

	SettingsReport.Setting change(String list, String property, @Nullable String value, String who,
			boolean showsValues) {
		if (!list.equals("settings")) {
			String problem = "%s (expected: settings)".formatted(Formats.printable(list));
			throw new InvalidEndpointRequestException(problem, problem);
		}
		return this.settings.one(this.changes.set(property, value, who), showsValues);
	}

	RegistrationDescriptor operate(String operation, @Nullable String weight, String who) {
		return this.operations.run(operation, weight, who);
	}

	InvokeOperation.Called call(InvokeOperation.Input input, String operator) {
		return this.calls.call(input, operator);
	}

	private @Nullable RelayDescriptor relay() {
		RpcRelay relay = this.beans.relay();
		return (relay != null) ? RelayDescriptor.of(relay) : null;
	}

	@Nullable Object part(String[] path, @Nullable Long since, boolean showsValues) {
		if (String.join("", path).isEmpty()) {
			return rpc();
		}
		if (path[0].equals("proto") && path.length > 1) {
			return this.files.one(String.join("/", Arrays.asList(path).subList(1, path.length)));
		}
		String rest = (path.length > 1) ? path[path.length - 1] : "";
		return switch (path[0] + "/" + path.length) {
			case "services/1" -> this.services.all();
			case "services/2" -> this.services.one(rest);
			case "references/1" -> this.references.all();
			case "references/2" -> this.references.one(rest);
			case "instances/1" -> this.references.instances();
			case "instances/2" -> this.references.instance(rest);
			case "methods/1" -> this.methods.all();
			case "methods/4" -> side(path[1], (side) -> this.methods.one(side, path[2], path[3]));
			case "connections/1" -> this.connections.all();
			case "connections/3" -> side(path[1], (side) -> this.connections.one(side, path[2]));
			case "streams/1" -> this.streams.all();
			case "limits/1" -> this.limits.all();
			case "calls/1" -> this.methods.calls();
			case "settings/1" -> this.settings.all(showsValues);
			case "proto/1" -> this.files.all();
			case "invoke/3" -> this.calls.form(path[1], path[2]);
			case "openapi/1" -> this.openApi.document();
			case "relay/1" -> relay();
			case "history/1" -> history((since != null) ? since : 0);
			default -> null;
		};
	}

	/** Returns why a path leads nowhere, and where others lead. */
	String problem(String[] path) {
		if (path[0].equals("openapi") && path.length == 1) {
			return this.openApi.problem();
		}
		String expected = switch (path[0]) {
			case "services" -> "services, or services/ and one of: " + ElementNames.summary(this.services.names());
			case "references" ->
				"references, or references/ and one of: " + ElementNames.summary(this.references.names());
			case "instances" ->
				"instances, or instances/ and one of: " + ElementNames.summary(this.references.endpoints());
			case "methods" -> "methods, or methods/client/ and one of: %s; or methods/server/ and one of: %s".formatted(
					ElementNames.summary(this.methods.names(Side.CLIENT)),
					ElementNames.summary(this.methods.names(Side.SERVER)));
			case "connections" -> "connections, or connections/{client or server}/{address of the peer}";
			case "invoke" ->
				"invoke/{service}/{method}, the service one of: " + ElementNames.summary(this.services.names());
			case "proto" -> "proto, or proto/ and one of: " + ElementNames.summary(this.files.all().files().keySet());
			default ->
				"services, references, methods, instances, connections, streams, limits, calls, settings, history, proto, openapi or invoke";
		};
		return "%s: not found (expected: %s)".formatted(Formats.printable(String.join("/", path)), expected);
	}

	private static @Nullable Object side(String name, Function<Side, @Nullable Object> view) {
		return switch (name) {
			case "client" -> view.apply(Side.CLIENT);
			case "server" -> view.apply(Side.SERVER);
			default -> null;
		};
	}

	private HistoryDescriptor history(long since) {
		RpcHistory history = this.beans.history();
		return (history != null) ? HistoryDescriptor.of(history.values(since)) : HistoryDescriptor.NONE;
	}

}
